import type { Devices } from '../../devices/devices.ts'
import { DeviceNotes } from '../../prejoin/DeviceNotes.tsx'
import { DeviceSettings } from '../../prejoin/DeviceSettings.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../panel/Dialog.tsx'

/** Which devices, and what is wrong with them: the same words as before the meeting. */
export function DevicesDialog({ devices, onClose }: { devices: Devices; onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Dialog title={t('prejoin.settings')} onClose={onClose}>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} />
    </Dialog>
  )
}
