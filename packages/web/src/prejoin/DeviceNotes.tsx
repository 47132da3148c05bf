import { ExternalLink, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Devices } from '../devices/devices.ts'
import { type DeviceProblem, isBackground } from '../devices/problem.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { isTouchKeyboard } from '../ui/touch-keyboard.ts'
import { useValue } from '../use-value.ts'
import styles from './DeviceNotes.module.css'
import { type Note, notesOf } from './notes.ts'

/** Problems with the devices and their remedies, announced to screen readers. */
export function DeviceNotes({ devices }: { devices: Devices }) {
  const { t } = useTexts()
  const { camera, microphone, microphoneMode, speaker, turnBothOn } = devices
  const notes = notesOf(useValue(camera), useValue(microphone))
  const { replaces } = useValue(speaker)
  const { fallback } = useValue(microphoneMode)
  const again = { camera: camera.retry, microphone: microphone.retry, both: turnBothOn }
  return (
    <div role="status" className={styles.notes}>
      {notes.map(note => (
        <NoteLine key={`${note.of} ${note.is}`} note={note}>
          {note.is === 'problem' && (
            <Remedy
              problem={note.problem}
              onRetry={() => void again[note.of]()}
              onShowRoom={() => devices.changeBackground('off')}
            />
          )}
        </NoteLine>
      ))}
      {fallback !== null && (
        <Line name={t('device.microphone.name')} text={t(`microphone.fallback.${fallback}`)} />
      )}
      {replaces !== null && (
        <Line name={t('device.speaker.name')} text={t('device.speakerReplaced', { previous: replaces })} />
      )}
    </div>
  )
}

function NoteLine({ note, children }: { note: Note; children: ReactNode }) {
  const { t } = useTexts()
  const name = t(`device.${note.of}.name`)
  switch (note.is) {
    case 'problem':
      return (
        <Line
          isAlert
          name={`${name}: ${t(`deviceProblem.${note.problem}.title`)}`}
          text={
            note.problem === 'refused' && isTouchKeyboard()
              ? t('device.refusedOnPhone')
              : t(`deviceProblem.${note.problem}.text`)
          }
        >
          {children}
        </Line>
      )
    case 'replaced':
      return (
        <Line name={name} text={t('device.replaced', { previous: note.previous, current: note.current })} />
      )
    case 'interrupted':
      return <Line name={name} text={t('device.interrupted')} />
  }
}

interface LineProps {
  name: string
  text: string
  isAlert?: boolean
  children?: ReactNode
}

export function Line({ name, text, isAlert = false, children }: LineProps) {
  const Icon = isAlert ? TriangleAlert : Info
  return (
    <div className={isAlert ? styles.alarm : styles.note}>
      <Icon aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <p>{text}</p>
        {children}
      </div>
    </div>
  )
}

interface RemedyProps {
  problem: DeviceProblem
  onRetry: () => void
  onShowRoom: () => void
}

/** None where the page recovers automatically, or where a retry would not help. */
function Remedy({ problem, onRetry, onShowRoom }: RemedyProps) {
  const { t } = useTexts()
  if (problem === 'missing' || problem === 'insecure') return null
  if (problem === 'refused_by_frame') {
    return (
      <a className={styles.link} href={window.location.href} target="_blank" rel="noopener noreferrer">
        {t('device.newTab')}
        <ExternalLink aria-hidden="true" />
      </a>
    )
  }
  return (
    <div className={styles.button}>
      <Button secondary onClick={onRetry}>
        {t('device.again')}
      </Button>
      {isBackground(problem) && (
        <Button secondary onClick={onShowRoom}>
          {t('background.showRoom')}
        </Button>
      )}
    </div>
  )
}
