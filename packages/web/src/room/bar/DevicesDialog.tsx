import { X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { Devices } from '../../devices/devices.ts'
import { DeviceNotes } from '../../prejoin/DeviceNotes.tsx'
import { DeviceSettings } from '../../prejoin/DeviceSettings.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../panel/PanelButton.tsx'
import styles from './DevicesDialog.module.css'

/** Which devices, and what is wrong with them: the same words as before the meeting. */
export function DevicesDialog({ devices, onClose }: { devices: Devices; onClose: () => void }) {
  const { t } = useTexts()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <header className={styles.header}>
        <h2 id={id} className={styles.title}>
          {t('prejoin.settings')}
        </h2>
        <PanelButton icon={X} label={t('room.close')} onClick={() => dialog.current?.close()} wordless />
      </header>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} />
    </dialog>
  )
}
