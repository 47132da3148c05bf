import type { Device } from '../devices/port.ts'

/** The names of devices of one kind, each different: those without a label, and of the same model, have numbers. */
export function deviceNames(devices: readonly Pick<Device, 'label'>[], kindName: string): string[] {
  const labels = devices.map(({ label }) => label)
  return labels.map((label, at) => {
    if (label === '') return `${kindName} ${at + 1}`
    const isUnique = labels.indexOf(label) === labels.lastIndexOf(label)
    const number = labels.slice(0, at + 1).filter(each => each === label).length
    return isUnique ? label : `${label} (${number})`
  })
}
