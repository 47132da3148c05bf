import {
  CalendarX2,
  CircleHelp,
  DoorClosed,
  KeyRound,
  Link2Off,
  type LucideIcon,
  MapPinOff,
  RefreshCw,
  Scissors,
  Unplug,
  UserLock,
  UserX,
} from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { Message } from '../ui/Message.tsx'
import styles from './RefusedMessage.module.css'
import type { Reason } from './resolve.ts'

const icons: Record<Reason, LucideIcon> = {
  link_incomplete: Scissors,
  link_foreign: Link2Off,
  link_rotated: RefreshCw,
  room_closed: DoorClosed,
  room_cancelled: CalendarX2,
  plain_link_closed: KeyRound,
  account_deleted: UserX,
  account_disabled: UserLock,
  room_not_found: MapPinOff,
  conference_not_found: MapPinOff,
  links_off: Unplug,
  unknown: CircleHelp,
}

export function RefusedMessage({ reason, code }: { reason: Reason; code: string | null }) {
  const { t } = useTexts()
  return (
    <Message icon={icons[reason]} title={t(`refused.${reason}.title`)} text={t(`refused.${reason}.text`)}>
      {code && (
        <p className={styles.code}>
          {t('link.code')} <code>{code}</code>
        </p>
      )}
    </Message>
  )
}
