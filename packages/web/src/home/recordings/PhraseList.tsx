import type { TranscriptPhrase } from '@lectern/protocol'
import { memo, useEffect, useRef } from 'react'
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx'
import styles from './PhraseList.module.css'
import { formatPosition, phraseAt, splitAtMatches } from './transcript-text.ts'

/** A phrase with what identifies it in its transcript. */
export interface KeyedPhrase extends TranscriptPhrase {
  key: string
}

interface Props {
  phrases: readonly KeyedPhrase[]
  search: string
  /** The list follows this position; null: it does not. */
  positionMs: number | null
  onSeek: ((ms: number) => void) | null
}

/** After the user scrolls, the list does not follow for this long. */
const QUIET_MS = 6_000
const ROW_REM = 4.5

/** Any number of phrases: only visible ones are in the document. */
export function PhraseList({ phrases, search, positionMs, onSeek }: Props) {
  const index = positionMs === null ? -1 : phraseAt(phrases, positionMs)
  const current = phrases[index]?.key ?? null
  const list = useRef<VirtualListHandle>(null)
  const scrolledAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (current === null || Date.now() - scrolledAtMs.current < QUIET_MS) return
    list.current?.scrollTo(current)
  }, [current])
  const markScrolled = () => {
    scrolledAtMs.current = Date.now()
  }
  return (
    <div
      className={styles.frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      onWheel={markScrolled}
      onTouchMove={markScrolled}
    >
      <VirtualList ref={list} items={phrases} keyOf={keyOf} rowRem={ROW_REM}>
        {phrase => (
          <Phrase phrase={phrase} search={search} isCurrent={phrase.key === current} onSeek={onSeek} />
        )}
      </VirtualList>
    </div>
  )
}

const keyOf = ({ key }: KeyedPhrase) => key

interface PhraseProps extends Pick<Props, 'search' | 'onSeek'> {
  phrase: KeyedPhrase
  isCurrent: boolean
}

const Phrase = memo(function Phrase({ phrase, search, isCurrent, onSeek }: PhraseProps) {
  const { from_ms, speaker, text } = phrase
  const content = (
    <>
      <span className={styles.time}>{formatPosition(from_ms)}</span>
      <span className={styles.words}>
        <bdi className={styles.speaker}>
          <Marked text={speaker} search={search} />
        </bdi>
        <span dir="auto">
          <Marked text={text} search={search} />
        </span>
      </span>
    </>
  )
  const shared = { className: styles.phrase, 'aria-current': isCurrent || undefined }
  return onSeek ? (
    <button type="button" {...shared} onClick={() => onSeek(from_ms)}>
      {content}
    </button>
  ) : (
    <div {...shared}>{content}</div>
  )
})

function Marked({ text, search }: { text: string; search: string }) {
  return splitAtMatches(text, search).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
  )
}
