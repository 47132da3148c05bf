import { useState } from 'react'
import { playTestSound } from '../devices/test-sound.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'

export function TestSoundButton({ speakerId }: { speakerId: string }) {
  const { t } = useTexts()
  const [playing, setPlaying] = useState(false)
  const play = async () => {
    setPlaying(true)
    // Silence is the result of the test.
    await playTestSound(speakerId).catch(() => {})
    setPlaying(false)
  }
  return (
    <Button secondary busy={playing} onClick={() => void play()}>
      {playing ? t('prejoin.playing') : t('prejoin.testSound')}
    </Button>
  )
}
