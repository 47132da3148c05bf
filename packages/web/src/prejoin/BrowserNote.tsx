import { useTexts } from '../texts/use-texts.ts'
import { Line } from './DeviceNotes.tsx'

/** Says that this browser does not support audio and video. */
export function BrowserNote() {
  const { t } = useTexts()
  return <Line isAlert name={t('prejoin.noWebRtc.title')} text={t('prejoin.noWebRtc.text')} />
}
