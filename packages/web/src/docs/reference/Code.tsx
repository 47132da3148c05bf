/** Lines that scroll, also with the keyboard. */
export function Code({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
}
