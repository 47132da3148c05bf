import { useTexts } from '../texts/use-texts.ts'
import { Line } from './DeviceNotes.tsx'

/** WebRTC is missing in some builds of WebKit, and where somebody has turned it off. */
const hasWebRtc = () => typeof RTCPeerConnection === 'function'

/** Says before joining that this browser carries no sound and no picture. */
export function BrowserNote() {
  const { t } = useTexts()
  if (hasWebRtc()) return null
  return <Line alarming name={t('prejoin.noWebRtc.title')} text={t('prejoin.noWebRtc.text')} />
}
