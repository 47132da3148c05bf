import { Mic, MicOff, TriangleAlert, Video, VideoOff } from 'lucide-react'
import { carriesMedia } from '../../call/media/media-connection.ts'
import type { Outgoing } from '../../call/media/outgoing.ts'
import type { PeerState } from '../../call/ports.ts'
import type { Input } from '../../devices/input.ts'
import type { Observable } from '../../observable.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from './ControlButton.tsx'
import { sendingOf } from './sending.ts'

const icons = { microphone: { on: Mic, off: MicOff }, camera: { on: Video, off: VideoOff } }

interface Props {
  input: Input
  outgoing: Outgoing
  transport: Observable<PeerState>
  shortcut: string
  /** A device that failed: there is more to say of it than a button can. */
  onExplain: () => void
}

/** Camera or microphone: shows what is sent, never what is only wished for. */
export function InputButton({ input, outgoing, transport, shortcut, onExplain }: Props) {
  const { t } = useTexts()
  const { kind } = input
  const sending = sendingOf(useValue(input), useValue(outgoing), carriesMedia(useValue(transport)))
  const isOff = sending === 'off' || sending === 'failed'
  const isTrouble = sending === 'trouble' || sending === 'failed'
  const trouble = sending === 'trouble' ? t(`room.notSent.${kind}`) : t('room.deviceFailed')
  const act = isOff ? t(`device.${kind}.turnOn`) : t(`device.${kind}.turnOff`)
  return (
    <ControlButton
      icon={icons[kind][isOff ? 'off' : 'on']}
      label={t(`device.${kind}.name`)}
      hint={isTrouble ? trouble : act}
      isOn={!isOff}
      look={isOff ? 'off' : 'plain'}
      isBusy={sending === 'asking' || sending === 'coming'}
      shortcut={shortcut}
      badge={isTrouble ? <TriangleAlert role="img" aria-label={trouble} /> : undefined}
      onClick={() => (sending === 'failed' ? onExplain() : void input.toggle())}
    />
  )
}
