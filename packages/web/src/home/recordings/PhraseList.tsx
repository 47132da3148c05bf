import type { TranscriptPhrase } from '@lectern/protocol'
import { memo, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './PhraseList.module.css'
import { formatPosition, phraseAt, splitAtMatches } from './transcript-text.ts'

interface Props {
  phrases: readonly TranscriptPhrase[]
  search: string
  /** The list follows this position; null: it does not. */
  positionMs: number | null
  onSeek: ((ms: number) => void) | null
}

/** Thousands of buttons at once would make the page slow. */
const STEP = 300
/** After the user scrolls, the list does not follow for this long. */
const QUIET_MS = 6_000

export function PhraseList({ phrases, search, positionMs, onSeek }: Props) {
  const { t } = useTexts()
  const current = positionMs === null ? -1 : phraseAt(phrases, positionMs)
  const [wanted, setWanted] = useState(STEP)
  const shown = Math.max(wanted, current + STEP / 2)
  const list = useRef<HTMLOListElement>(null)
  const scrolledAtMs = useRef(0)
  useEffect(() => {
    if (current < 0 || Date.now() - scrolledAtMs.current < QUIET_MS) return
    const item = list.current?.children[current] as HTMLElement | undefined
    if (item) scrollInto(list.current as HTMLElement, item)
  }, [current])
  const markScrolled = () => {
    scrolledAtMs.current = Date.now()
  }
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <ol ref={list} className={styles.list} tabIndex={0} onWheel={markScrolled} onTouchMove={markScrolled}>
        {phrases.slice(0, shown).map((phrase, index) => (
          <Phrase
            // biome-ignore lint/suspicious/noArrayIndexKey: phrases have no identity and never move
            key={index}
            phrase={phrase}
            search={search}
            isCurrent={index === current}
            onSeek={onSeek}
          />
        ))}
        {phrases.length > shown && (
          <li className={styles.more}>
            <Button secondary onClick={() => setWanted(shown + STEP)}>
              {t('recordings.morePhrases', { number: phrases.length - shown })}
            </Button>
          </li>
        )}
      </ol>
    </div>
  )
}

interface PhraseProps extends Pick<Props, 'search' | 'onSeek'> {
  phrase: TranscriptPhrase
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
  return (
    <li aria-current={isCurrent || undefined} className={styles.phrase}>
      {onSeek ? (
        <button type="button" className={styles.button} onClick={() => onSeek(from_ms)}>
          {content}
        </button>
      ) : (
        <div className={styles.button}>{content}</div>
      )}
    </li>
  )
})

function Marked({ text, search }: { text: string; search: string }) {
  return splitAtMatches(text, search).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
  )
}

/** Scrolls the list only, never the page. */
function scrollInto(list: HTMLElement, item: HTMLElement): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const top = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2
  list.scrollTo({ top, behavior: isCalm ? 'auto' : 'smooth' })
}
