/** Calls a function when the page is visible: at once, or when it is shown again. */
export function whenVisible(run: () => void): void {
  // Tests without a browser have no document.
  const page: Document | undefined = globalThis.document
  if (page?.visibilityState !== 'hidden') run()
  else page.addEventListener('visibilitychange', run, { once: true })
}
