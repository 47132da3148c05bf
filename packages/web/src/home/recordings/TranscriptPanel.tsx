import { type TranscriptPhrase, toWebVtt } from '@lectern/protocol'
import { FileText } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { saveText, transcriptName } from '../../save-file.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Field } from '../../ui/Field.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { PhraseList } from './PhraseList.tsx'
import type { TranscriptView } from './recording-details.ts'
import styles from './TranscriptPanel.module.css'
import { searchPhrases, toPlainText } from './transcript-text.ts'

interface Props {
  title: string
  transcript: TranscriptView
  positionMs: number
  /** Null: there is nothing to seek in. */
  onSeek: ((ms: number) => void) | null
}

/** The transcript: it follows the player, seeks, and can be searched and saved. */
export function TranscriptPanel({ title, transcript, positionMs, onSeek }: Props) {
  const { t } = useTexts()
  return (
    <section className={styles.panel} aria-labelledby="recording-transcript">
      <h2 id="recording-transcript" className={styles.heading}>
        {t('recordings.transcript')}
      </h2>
      {transcript.is === 'known' ? (
        <KnownTranscript
          title={title}
          phrases={transcript.phrases}
          isTruncated={transcript.isTruncated}
          positionMs={positionMs}
          onSeek={onSeek}
        />
      ) : (
        <p className={styles.note} role="status">
          {t(`recordings.transcriptStates.${transcript.is}`)}
        </p>
      )}
    </section>
  )
}

interface KnownProps extends Pick<Props, 'title' | 'positionMs' | 'onSeek'> {
  phrases: readonly TranscriptPhrase[]
  isTruncated: boolean
}

function KnownTranscript({ title, phrases, isTruncated, positionMs, onSeek }: KnownProps) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  // Typing stays fluent, however long the transcript is.
  const search = useDeferredValue(typed)
  const keyed = useMemo(() => phrases.map((phrase, index) => ({ ...phrase, key: String(index) })), [phrases])
  const found = useMemo(() => searchPhrases(keyed, search), [keyed, search])
  const isSearching = search.trim() !== ''
  return (
    <>
      <div className={styles.tools}>
        <Field
          label={t('recordings.search')}
          type="search"
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
        <PanelButton
          icon={FileText}
          label={t('recordings.saveText')}
          onClick={() => saveText(toPlainText(title, phrases), transcriptName(title, 'txt'), 'text/plain')}
        />
        <PanelButton
          icon={FileText}
          label={t('recordings.saveCaptions')}
          onClick={() => saveText(toWebVtt(phrases), transcriptName(title, 'vtt'), 'text/vtt')}
        />
      </div>
      <p className={isSearching ? styles.note : 'visually-hidden'} role="status">
        {isSearching && t('recordings.found', { count: found.length })}
      </p>
      {found.length > 0 && (
        <PhraseList
          phrases={found}
          search={search}
          // While searching, the list stays where the user reads.
          positionMs={isSearching ? null : positionMs}
          onSeek={onSeek}
        />
      )}
      {isTruncated && <p className={styles.note}>{t('recordings.truncated')}</p>}
    </>
  )
}
