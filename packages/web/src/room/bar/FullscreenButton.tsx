import { Maximize, Minimize } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { Fullscreen } from '../fullscreen.ts'
import { ControlButton } from './ControlButton.tsx'

export function FullscreenButton({ fullscreen }: { fullscreen: Fullscreen }) {
  const { t } = useTexts()
  const isOn = useValue(fullscreen)
  return (
    <ControlButton
      icon={isOn ? Minimize : Maximize}
      label={t('room.fullscreen')}
      hint={isOn ? t('room.exitFullscreen') : t('room.fullscreen')}
      isOn={isOn}
      onClick={() => void fullscreen.toggle()}
    />
  )
}
