import type { Observable } from '@lectern/common'
import { ChevronUp, Mic, MicOff, TriangleAlert, Video, VideoOff } from 'lucide-react'
import { carriesMedia } from '../../call/media/media-connection.ts'
import type { Publisher } from '../../call/media/publisher.ts'
import type { TransportState } from '../../call/ports.ts'
import type { Input } from '../../devices/input.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from './ControlButton.tsx'
import { ForbiddenInput } from './ForbiddenInput.tsx'
import styles from './InputGroup.module.css'
import { inputStatusOf } from './input-status.ts'

const icons = { microphone: { on: Mic, off: MicOff }, camera: { on: Video, off: VideoOff } }

interface Props {
  input: Input
  publisher: Publisher
  transport: Observable<TransportState>
  shortcut: string
  isPermitted: boolean
  /** Opens the settings, where errors of devices are explained. */
  onSettings: () => void
  isHandUp: boolean
  onRaiseHand: () => void
}

/** Camera or microphone, and its settings. */
export function InputButton(props: Props) {
  const { t } = useTexts()
  return (
    <div className={styles.group}>
      <Toggle {...props} />
      <button
        type="button"
        className={styles.settings}
        aria-label={t(`bar.settings.${props.input.kind}`)}
        onClick={props.onSettings}
      >
        <ChevronUp aria-hidden="true" />
      </button>
    </div>
  )
}

/** Shows what is actually sent. */
function Toggle(props: Props) {
  const { input, publisher, transport, shortcut, isPermitted, onSettings } = props
  const { t } = useTexts()
  const { kind } = input
  const sending = inputStatusOf(useValue(input), useValue(publisher), carriesMedia(useValue(transport)))
  const isOff = sending === 'off' || sending === 'failed'
  const isProblem = sending === 'problem' || sending === 'failed'
  const problem = sending === 'problem' ? t(`room.notSent.${kind}`) : t('room.deviceFailed')
  const act = isOff ? t(`device.${kind}.turnOn`) : t(`device.${kind}.turnOff`)
  if (isOff && !isPermitted)
    return (
      <ForbiddenInput
        kind={kind}
        icon={icons[kind].off}
        isHandUp={props.isHandUp}
        onRaiseHand={props.onRaiseHand}
      />
    )
  return (
    <ControlButton
      icon={icons[kind][isOff ? 'off' : 'on']}
      label={t(`device.${kind}.name`)}
      hint={isProblem ? problem : act}
      isOn={!isOff}
      variant="input"
      isBusy={sending === 'requesting' || sending === 'coming'}
      shortcut={shortcut}
      badge={isProblem ? <TriangleAlert role="img" aria-label={problem} /> : undefined}
      onClick={() => (sending === 'failed' ? onSettings() : void input.toggle())}
    />
  )
}
