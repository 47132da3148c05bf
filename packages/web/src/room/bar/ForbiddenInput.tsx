import { Hand, Lock, type LucideIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Input } from '../../devices/input.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { Popup } from '../popup/Popup.tsx'
import { PopupItem } from '../popup/PopupItem.tsx'
import { ControlButton } from './ControlButton.tsx'
import styles from './InputGroup.module.css'

interface Props {
  kind: Input['kind']
  icon: LucideIcon
  isHandUp: boolean
  onRaiseHand: () => void
}

/** A microphone or camera that a moderator does not permit: it says why, and offers to raise a hand. */
export function ForbiddenInput({ kind, icon, isHandUp, onRaiseHand }: Props) {
  const { t } = useTexts()
  const reason = t(`moderation.forbidden.${kind}`, useModeratorTerm())
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ControlButton
        icon={icon}
        label={t(`device.${kind}.name`)}
        hint={reason}
        isOn={false}
        variant="input"
        isForbidden
        badge={<Lock role="img" aria-label={reason} />}
        button={opener}
        onForbidden={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popup
          label={reason}
          opener={opener}
          side="start"
          className={styles.why}
          onClose={() => setOpen(false)}
        >
          <p className={styles.reason} role="status">
            {reason}
          </p>
          {!isHandUp && (
            <PopupItem icon={Hand} onClick={onRaiseHand}>
              {t('room.raiseHand')}
            </PopupItem>
          )}
        </Popup>
      )}
    </>
  )
}
