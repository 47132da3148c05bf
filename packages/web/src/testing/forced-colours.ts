import { cdp } from 'vitest/browser'

interface Session {
  send: (method: string, parameters: object) => Promise<unknown>
}

/** Forces colours as Windows does in a contrast theme, or ends that. */
export const forceColours = (isOn: boolean): Promise<unknown> =>
  (cdp() as unknown as Session).send('Emulation.setEmulatedMedia', {
    features: [{ name: 'forced-colors', value: isOn ? 'active' : 'none' }],
  })

/** The computed value of a system colour, such as `Highlight`. */
export function systemColour(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.cssText = `background-color: ${name}; forced-color-adjust: none`
  const { backgroundColor } = getComputedStyle(probe)
  probe.remove()
  return backgroundColor
}
