import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { saveText, transcriptName } from '../../save-file.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { copyText } from '../../ui/copy-text.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import type { Room } from '../room.ts'
import { writeText, writeVtt } from './export.ts'
import styles from './TranscriptPanel.module.css'

/** Copies or downloads the transcript, as text or as WebVTT. */
export function TranscriptExport({ room, startedAt }: { room: Room; startedAt: number }) {
  const { t, locale } = useTexts()
  const { phrases } = useValue(room.call.transcript)
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null)
  if (phrases.length === 0) return null

  const copy = async () => {
    setOutcome((await copyText(writeText(phrases, locale))) ? 'copied' : 'notCopied')
  }
  const asText = () => saveText(writeText(phrases, locale), transcriptName(room.title, 'txt'), 'text/plain')
  const asVtt = () => saveText(writeVtt(phrases, startedAt), transcriptName(room.title, 'vtt'), 'text/vtt')
  return (
    <div className={styles.export}>
      <PanelButton
        icon={outcome === 'copied' ? Check : Copy}
        label={t('transcript.copy')}
        onClick={() => void copy()}
      />
      <DownloadButton label={t('transcript.text')} ending=".txt" onClick={asText} />
      <DownloadButton label={t('transcript.vtt')} ending=".vtt" onClick={asVtt} />
      <p role="status" className={styles.status}>
        {outcome && t(`transcript.${outcome}`)}
      </p>
    </div>
  )
}

interface DownloadButtonProps {
  label: string
  ending: string
  onClick: () => void
}

/** On a phone it shows the ending only, so that all buttons fit in one line: the transcript above needs the height. */
function DownloadButton({ label, ending, onClick }: DownloadButtonProps) {
  const text = (
    <>
      <span className={styles.long}>{label}</span>
      <span className={styles.short}>{ending}</span>
    </>
  )
  return <PanelButton icon={Download} label={label} text={text} onClick={onClick} />
}
