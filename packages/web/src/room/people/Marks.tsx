import {
  Hand,
  type LucideIcon,
  Mic,
  MicOff,
  MonitorSmartphone,
  MonitorUp,
  SignalHigh,
  SignalLow,
  SignalMedium,
  Video,
  VideoOff,
  WifiOff,
} from 'lucide-react'
import type { Quality } from '../../call/qualities.ts'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './Marks.module.css'
import { type Device, hasHandUp, type Person } from './people.ts'

const signals: Record<Quality | 'lost', LucideIcon> = {
  good: SignalHigh,
  fair: SignalMedium,
  poor: SignalLow,
  lost: WifiOff,
}

/** How somebody is here, in small pictures. */
export function Marks({ person, quality }: { person: Person; quality: Quality | 'lost' | null }) {
  const { t } = useTexts()
  const { devices } = person
  const some = (what: (device: Device) => boolean) => devices.some(what)
  return (
    <ul className={styles.marks}>
      {hasHandUp(person) && <Mark icon={Hand} label={t('people.handUp')} warm />}
      {some(({ microphone }) => microphone) ? (
        <Mark icon={Mic} label={t('people.microphoneOn')} />
      ) : (
        <Mark icon={MicOff} label={t('people.microphoneOff')} faint />
      )}
      {some(({ camera }) => camera) ? (
        <Mark icon={Video} label={t('people.cameraOn')} />
      ) : (
        <Mark icon={VideoOff} label={t('people.cameraOff')} faint />
      )}
      {some(({ screen }) => screen) && <Mark icon={MonitorUp} label={t('people.sharing')} />}
      {quality && (
        <Mark icon={signals[quality]} label={t(`room.quality.${quality}`)} warm={quality !== 'good'} />
      )}
      {devices.length > 1 && (
        <Mark icon={MonitorSmartphone} label={t('people.devices', { number: devices.length })} />
      )}
    </ul>
  )
}

interface MarkProps {
  icon: LucideIcon
  label: string
  /** To be noticed. */
  warm?: boolean
  /** Not to be noticed. */
  faint?: boolean
}

function Mark({ icon: Icon, label, warm = false, faint = false }: MarkProps) {
  return (
    <li className={warm ? styles.warm : faint ? styles.faint : styles.mark} title={label}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </li>
  )
}
