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
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { describeWhen } from '../time/format.ts'
import { serverTime } from '../time/server-time.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import type { LinkState } from './link.ts'
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

interface Props {
  refusal: Extract<LinkState, { is: 'refused' }>
  /** The holder of the link may not know any other page. */
  isPersonal: boolean
}

/** Why the link does not open, of which meeting it is where that is known, and the way to other pages. */
export function RefusedMessage({ refusal: { reason, code, known }, isPersonal }: Props) {
  const { t, locale } = useTexts()
  const { go } = useSite()
  const when = known && describeWhen(known.startsAt, known.endsAt, serverTime(Date.now()), { locale })
  return (
    <Message icon={icons[reason]} title={t(`refused.${reason}.title`)} text={t(`refused.${reason}.text`)}>
      {known?.title.trim() && (
        <p className={styles.meeting}>
          <bdi>{known.title}</bdi>
          {when && <span> · {when.brief}</span>}
        </p>
      )}
      {code && (
        <p className={styles.code}>
          {t('link.code')} <code>{code}</code>
        </p>
      )}
      {!isPersonal && (
        <Button secondary onClick={() => go('/')}>
          {t('menu.start')}
        </Button>
      )}
    </Message>
  )
}
