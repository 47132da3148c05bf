import { Mic, MonitorUp, PenLine } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { NamedText } from '../../ui/NamedText.tsx'
import styles from './ChapterList.module.css'
import { type Chapter, chapterAt } from './lesson.ts'
import { formatPosition } from './transcript-text.ts'

interface Props {
  chapters: readonly Chapter[]
  positionMs: number
  /** Null: there is nothing to seek in. */
  onSeek: ((ms: number) => void) | null
}

const ICONS = { speaker: Mic, screen: MonitorUp, page: PenLine }

/** The chapters: who spoke when and who shared a screen; a click seeks. Nothing for recordings without chapters. */
export function ChapterList({ chapters, positionMs, onSeek }: Props) {
  const { t } = useTexts()
  const list = useRef<HTMLOListElement>(null)
  const current = chapterAt(chapters, positionMs)
  useEffect(() => {
    const item = list.current?.children[current] as HTMLElement | undefined
    // Scrolls the list only, never the page, and not while the keyboard is in it.
    if (item && !list.current?.contains(document.activeElement))
      list.current?.scrollTo({ top: item.offsetTop - item.offsetHeight })
  }, [current])
  if (chapters.length === 0 || !onSeek) return null
  return (
    <section className={styles.chapters} aria-labelledby="recording-chapters">
      <h2 id="recording-chapters" className={styles.heading}>
        {t('lesson.chapters')}
      </h2>
      <ol ref={list} className={styles.list}>
        {chapters.map(({ kind, fromMs, name }, index) => {
          const Icon = ICONS[kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: chapters have no identity and never move
            <li key={index}>
              <button
                type="button"
                className={styles.chapter}
                aria-current={index === current || undefined}
                onClick={() => onSeek(fromMs)}
              >
                <span className={styles.time}>{formatPosition(fromMs)}</span>
                <Icon aria-hidden="true" />
                <NamedText text={shown => t(`lesson.chapter.${kind}`, { name: shown })} name={name} />
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
