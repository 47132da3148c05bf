import type { Devices } from '../../devices/devices.ts'
import { DeviceNotes } from '../../prejoin/DeviceNotes.tsx'
import { DeviceSettings } from '../../prejoin/DeviceSettings.tsx'
import { MicrophoneSettings } from '../../prejoin/MicrophoneSettings.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** The device settings of the prejoin screen, during the call. */
export function DevicesDialog({ devices, onClose }: { devices: Devices; onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Dialog title={t('prejoin.settings')} onClose={onClose}>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} />
      <MicrophoneSettings devices={devices} />
    </Dialog>
  )
}
