import {
  type LucideIcon,
  Mic,
  MicOff,
  MonitorSmartphone,
  MonitorUp,
  Spotlight,
  Video,
  VideoOff,
} from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { qualityIcons } from '../quality-icons.ts'
import type { Device, Person } from './people.ts'
import styles from './StatusIcons.module.css'

interface Props {
  person: Person
  /** Null: good, or not known. */
  quality: 'poor' | 'fair' | 'lost' | null
  /** Everybody sees the person large. */
  isSpotlit: boolean
}

/** The state of a person's devices, as icons. */
export function StatusIcons({ person, quality, isSpotlit }: Props) {
  const { t } = useTexts()
  const { devices } = person
  const some = (what: (device: Device) => boolean) => devices.some(what)
  return (
    <ul className={styles.icons}>
      {quality && (
        <StatusIcon icon={qualityIcons[quality]} label={t(`room.quality.${quality}`)} isHighlighted />
      )}
      {isSpotlit && <StatusIcon icon={Spotlight} label={t('moderation.inSpotlight')} isHighlighted />}
      {some(({ microphone }) => microphone) ? (
        <StatusIcon icon={Mic} label={t('people.microphoneOn')} />
      ) : (
        <StatusIcon icon={MicOff} label={t('people.microphoneOff')} isMuted />
      )}
      {some(({ camera }) => camera) ? (
        <StatusIcon icon={Video} label={t('people.cameraOn')} />
      ) : (
        <StatusIcon icon={VideoOff} label={t('people.cameraOff')} isMuted />
      )}
      {some(({ screen }) => screen) && <StatusIcon icon={MonitorUp} label={t('people.sharing')} />}
      {devices.length > 1 && (
        <StatusIcon icon={MonitorSmartphone} label={t('people.devices', { count: devices.length })} />
      )}
    </ul>
  )
}

interface StatusIconProps {
  icon: LucideIcon
  label: string
  /** Attracts attention. */
  isHighlighted?: boolean
  /** Does not attract attention. */
  isMuted?: boolean
}

function StatusIcon({ icon: Icon, label, isHighlighted = false, isMuted = false }: StatusIconProps) {
  return (
    <li className={isHighlighted ? styles.highlighted : isMuted ? styles.muted : styles.icon} title={label}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </li>
  )
}
