import { useEffect } from 'react'
import type { PushToTalk } from './push-to-talk.ts'

/** Elements that use the space bar themselves. Buttons and links have Enter as well. */
const USES_SPACE = 'input, textarea, select, summary, [contenteditable]'

/** The space bar is held to talk. A modal dialog has the keyboard for itself. */
export function usePushToTalk(pushToTalk: PushToTalk, isPermitted: boolean): void {
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const isFree = ({ target }: KeyboardEvent) =>
      !document.querySelector('dialog[open]') && !(target instanceof Element && target.closest(USES_SPACE))
    const press = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || event.ctrlKey || event.altKey || event.metaKey) return
      const isOurs = event.repeat ? pushToTalk.get() : isPermitted && isFree(event) && pushToTalk.press()
      if (isOurs) event.preventDefault()
    }
    const lift = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || !pushToTalk.get()) return
      // Firefox would press the focused button.
      event.preventDefault()
      pushToTalk.release()
    }
    document.addEventListener('keydown', press, { signal })
    document.addEventListener('keyup', lift, { signal })
    window.addEventListener('blur', pushToTalk.release, { signal })
    document.addEventListener('visibilitychange', pushToTalk.release, { signal })
    return () => stop.abort()
  }, [pushToTalk, isPermitted])
}
