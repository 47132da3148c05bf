import { Mic, MicOff, Video, VideoOff } from 'lucide-react'
import type { Input } from '../devices/input.ts'
import { useTexts } from '../texts/use-texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useValue } from '../use-value.ts'

const icons = { microphone: { on: Mic, off: MicOff }, camera: { on: Video, off: VideoOff } }

/** Turns the microphone or the camera on and off. */
export function InputToggle({ input }: { input: Input }) {
  const { t } = useTexts()
  const { is } = useValue(input)
  const isOff = is === 'off' || is === 'failed'
  return (
    <IconButton
      icon={icons[input.kind][isOff ? 'off' : 'on']}
      label={isOff ? t(`device.${input.kind}.turnOn`) : t(`device.${input.kind}.turnOff`)}
      off={isOff}
      onClick={() => void input.toggle()}
    />
  )
}
