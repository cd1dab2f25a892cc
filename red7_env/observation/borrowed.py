"""Arrays without reference counts, for the inner loops of kernels."""

from typing import TYPE_CHECKING

import numpy as np
from numba.extending import intrinsic

if TYPE_CHECKING:

    def borrowed(array: np.ndarray) -> np.ndarray: ...
else:

    @intrinsic
    def borrowed(typingctx, array):
        """Return the same array without its owner.

        Numba counts references wherever an array is handed to a function, and cannot take the pairs out again once a
        loop holds enough branches: two atomic instructions a game and an array, more than many a write itself. An array
        without an owner is not counted. The caller's array must stay alive as long, as an argument of a kernel does.
        """

        def codegen(context, builder, sig, args):
            from numba.core import cgutils

            bare = context.make_array(sig.args[0])(context, builder, args[0])
            bare.meminfo = cgutils.get_null_value(bare.meminfo.type)
            return bare._getvalue()

        return array(array), codegen
