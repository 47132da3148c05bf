import { cdp } from 'vitest/browser'

interface Session {
  send: (method: string, parameters: object) => Promise<unknown>
}

/** Forces colours as Windows does in a contrast theme, or ends that. */
export const forceColours = (isOn: boolean): Promise<unknown> =>
  (cdp() as unknown as Session).send('Emulation.setEmulatedMedia', {
    features: [{ name: 'forced-colors', value: isOn ? 'active' : 'none' }],
  })

/** A colour of CSS, such as `Highlight`, as the browser writes it, whatever colours are forced. */
export function computedColour(colour: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.cssText = `background-color: ${colour}; forced-color-adjust: none`
  const { backgroundColor } = getComputedStyle(probe)
  probe.remove()
  return backgroundColor
}
