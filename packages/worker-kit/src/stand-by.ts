/** Says that everything is loaded, and resolves when the server says that this process is to begin. */
export function toldToBegin(): Promise<void> {
  return new Promise(resolve => {
    const hear = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('begin' in message)) return
      process.off('message', hear)
      resolve()
    }
    process.on('message', hear)
    process.send?.({ standing_by: true })
  })
}
