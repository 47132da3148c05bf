import { ConnectionCheck } from '../connection-test/ConnectionCheck.tsx'
import type { Devices } from '../devices/devices.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { BackgroundPicker } from './background/BackgroundPicker.tsx'
import { DeviceNotes } from './DeviceNotes.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'
import { Preview } from './Preview.tsx'

interface Props {
  devices: Devices
  onClose: () => void
}

/**
 * The settings that few people need before they join: the devices, a test sound, and the check of the connection. It is
 * loaded on demand.
 */
export function SettingsDialog({ devices, onClose }: Props) {
  const { t } = useTexts()
  return (
    <Dialog title={t('prejoin.options')} onClose={onClose}>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} />
      <BackgroundPicker devices={devices} />
      <ConnectionCheck />
    </Dialog>
  )
}

/** The choice of the background, with the video that the others will see. */
export function BackgroundDialog({ devices, onClose }: Props) {
  const { t } = useTexts()
  return (
    <Dialog title={t('background.title')} onClose={onClose}>
      <DeviceNotes devices={devices} />
      <Preview camera={devices.camera} microphone={devices.microphone} />
      <BackgroundPicker devices={devices} />
    </Dialog>
  )
}
