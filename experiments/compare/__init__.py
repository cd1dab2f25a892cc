"""The league: agents compared on the same deals, from every seat: ``python -m experiments compare``.

``config`` says what is played, ``design`` who sits where, ``units`` cuts the work into pieces that come out the same
on any worker, ``pool`` are the workers, ``folder`` keeps what they finished, ``run`` directs all of that. From the
finished games ``scores`` makes tables by deal, ``bootstrap``, ``rating`` and ``sequential`` the statistics, ``summary``
their sum, ``report`` and ``figures`` what people look at.
"""
