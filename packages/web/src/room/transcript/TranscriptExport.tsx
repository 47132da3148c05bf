import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { copyText } from '../../ui/copy-text.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import type { Room } from '../room.ts'
import { fileNameOf, writeText, writeVtt } from './export.ts'
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
  const asText = () => download(fileNameOf(room.title, 'txt'), 'text/plain', writeText(phrases, locale))
  const asVtt = () => download(fileNameOf(room.title, 'vtt'), 'text/vtt', writeVtt(phrases, startedAt))
  return (
    <div className={styles.export}>
      <PanelButton
        icon={outcome === 'copied' ? Check : Copy}
        label={t('transcript.copy')}
        onClick={() => void copy()}
      />
      {/* One line of buttons, also on the smallest phone: the transcript above needs the height. */}
      <PanelButton icon={Download} label={t('transcript.text')} text=".txt" onClick={asText} />
      <PanelButton icon={Download} label={t('transcript.vtt')} text=".vtt" onClick={asVtt} />
      <p role="status" className={styles.status}>
        {outcome && t(`transcript.${outcome}`)}
      </p>
    </div>
  )
}

function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started to read by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
