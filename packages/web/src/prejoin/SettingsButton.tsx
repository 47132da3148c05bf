import { Settings } from 'lucide-react'
import { useState } from 'react'
import { ConnectionCheck } from '../connection-test/ConnectionCheck.tsx'
import type { Devices } from '../devices/devices.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { DeviceNotes } from './DeviceNotes.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'

/** Opens what few people need before they join: the devices, a test sound, and the check of the connection. */
export function SettingsButton({ devices }: { devices: Devices }) {
  const { t } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon={Settings} label={t('prejoin.options')} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={t('prejoin.options')} onClose={() => setOpen(false)}>
          <DeviceNotes devices={devices} />
          <DeviceSettings devices={devices} />
          <ConnectionCheck />
        </Dialog>
      )}
    </>
  )
}
