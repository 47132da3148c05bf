/**
 * Resolves when the server activates this standby process, possibly while it still signs in. Call it before anything else
 * receives messages: a message that arrives while only others listen is lost.
 */
export function activation(): Promise<void> {
  return new Promise(resolve => {
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('begin' in message)) return
      process.off('message', onMessage)
      resolve()
    }
    process.on('message', onMessage)
  })
}
