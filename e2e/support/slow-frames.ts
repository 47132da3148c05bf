/** Runs in the page. A machine that is too slow for the background would turn the camera off. */
export function permitSlowFrames() {
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (message, options) {
    if (message?.is === 'start') message.budgetMs = Number.POSITIVE_INFINITY
    return Reflect.apply(postMessage, this, [message, options])
  }
}
