// A page opened from a folder may start no worker, and the search is one: here it runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inner = this.frame.contentWindow
      inner.postMessage = data => setTimeout(() => this.onmessage?.({ data }))
      this.ready = new Promise((resolve, reject) => {
        const script = inner.document.createElement("script")
        script.src = new URL(url, document.baseURI)
        script.onload = () => resolve(inner)
        script.onerror = event => { this.onerror?.(event); reject(event) }
        inner.document.body.append(script)
      })
    }

    postMessage(data) {
      this.ready.then(inner => inner.onmessage({ data }))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
