/** Reports that the process is ready and resolves when the server activates it. */
export function untilActivated(): Promise<void> {
  return new Promise(resolve => {
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('begin' in message)) return
      process.off('message', onMessage)
      resolve()
    }
    process.on('message', onMessage)
    process.send?.({ standing_by: true })
  })
}
