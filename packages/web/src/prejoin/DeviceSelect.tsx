import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { DeviceChoice } from '../devices/device-choice.ts'
import type { Device, DeviceKind } from '../devices/port.ts'
import { useTexts } from '../texts/use-texts.ts'
import styles from './DeviceSettings.module.css'
import { deviceNames } from './device-names.ts'

interface Props {
  kind: DeviceKind
  devices: readonly Device[]
  /** The id of one of them; any other value selects `otherwise`, or the first device, which is the default. */
  chosen: string
  otherwise?: string
  onChoose: (device: DeviceChoice) => void
}

/** Renders nothing when there is no device. */
export function DeviceSelect({ kind, devices, chosen, otherwise, onChoose }: Props) {
  const { t } = useTexts()
  const id = useId()
  if (devices.length === 0) return null
  const isListed = devices.some(device => device.id === chosen)
  const names = deviceNames(devices, t(`device.${kind}.name`))
  const preferred = otherwise === undefined ? devices[0]?.id : ''
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{t(`device.${kind}.name`)}</label>
      <div className={styles.box}>
        <select
          id={id}
          className={styles.select}
          value={isListed ? chosen : preferred}
          onChange={({ target }) => {
            const device = devices.find(each => each.id === target.value)
            onChoose(device ?? { id: '', label: '' })
          }}
        >
          {otherwise !== undefined && <option value="">{otherwise}</option>}
          {devices.map(({ id }, at) => (
            <option key={id} value={id}>
              {isolate(names[at] ?? '')}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" />
      </div>
    </div>
  )
}

/** In the direction of its letters. A direction of the option itself would move it to the other end of the field. */
const isolate = (label: string) => `\u2068${label}\u2069`
