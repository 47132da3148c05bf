/** A step on the way into a room, in milliseconds since the click on Join. */
export interface Step {
  name: string
  atMs: number
}

/** Runs in the page, before its scripts: notes the steps from the click to the first frame of the named person. */
export function observe(person: string): void {
  let clickedAtMs = Number.NaN
  const steps: Step[] = []
  const note = (name: string) => {
    if (!Number.isNaN(clickedAtMs)) steps.push({ name, atMs: Math.round(performance.now() - clickedAtMs) })
  }
  Object.assign(window, { lecternSteps: steps })
  addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof HTMLButtonElement && target.textContent === 'Join')
        clickedAtMs = performance.now()
    },
    { capture: true },
  )

  const { send } = WebSocket.prototype
  const opened = new WeakSet<WebSocket>()
  WebSocket.prototype.send = function (this: WebSocket, data: string) {
    if (!opened.has(this)) {
      opened.add(this)
      this.addEventListener('message', ({ data: text }) => note(`<${nameOf(text)}`))
    }
    note(`>${nameOf(data)}`)
    send.call(this, data)
  }
  const nameOf = (text: unknown) => {
    if (typeof text !== 'string') return 'binary'
    const frame = JSON.parse(text) as Record<string, { name?: string } | undefined>
    const key = Object.keys(frame).find(each => typeof frame[each] === 'object' && frame[each] !== null)
    return frame[key ?? '']?.name ?? (frame.name as unknown as string | undefined) ?? key ?? 'frame'
  }

  const Connection = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Connection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      note('peer connection')
      this.addEventListener('connectionstatechange', () => note(this.connectionState))
    }
  }

  const watched = new WeakSet<HTMLVideoElement>()
  const watch = () => {
    for (const video of document.querySelectorAll('video')) {
      if (video.ariaLabel !== person || watched.has(video)) continue
      watched.add(video)
      note('tile')
      video.requestVideoFrameCallback(() => note('frame'))
    }
  }
  new MutationObserver(watch).observe(document, { subtree: true, childList: true, attributes: true })
}
