import { type TranscriptPhrase, toWebVtt } from '@lectern/protocol'
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import styles from './Player.module.css'
import { Playback } from './playback.ts'
import type { RecordingDetails } from './recording-details.ts'

/** While the server restarts, no file can be reached. */
const RETRY_MS = 10_000

interface Props {
  ref: Ref<HTMLVideoElement>
  /** Null: the recording has no file that can be played as a whole. */
  blobId: string | null
  linkTo: RecordingDetails['linkTo']
  /** The address of the image that is shown before playing; null: the first frame is. */
  poster: string | null
  phrases: readonly TranscriptPhrase[]
  language: string
  onPosition: (ms: number) => void
}

/** The browser's own player, with the transcript as captions. */
export function Player({ ref, blobId, ...rest }: Props) {
  const { t } = useTexts()
  if (blobId === null) return <p className={styles.message}>{t('recordings.noVideo')}</p>
  return <VideoPlayer ref={ref} blobId={blobId} {...rest} />
}

function VideoPlayer(props: Props & { blobId: string }) {
  const { ref, blobId, linkTo, poster, phrases, language, onPosition } = props
  const { t } = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  useImperativeHandle(ref, () => video.current as HTMLVideoElement)
  const [playback] = useState(() => new Playback(() => linkTo(blobId)))
  const state = useValue(playback)
  /** The position at which to continue after a link was replaced. */
  const resume = useRef<{ at: number; playing: boolean } | null>(null)
  const captions = useCaptions(phrases)
  useEffect(() => void playback.start(), [playback])
  const isLost = state.is === 'lost'
  useEffect(() => {
    if (!isLost) return
    const start = () => void playback.start()
    const timer = setInterval(start, RETRY_MS)
    window.addEventListener('online', start)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', start)
    }
  }, [playback, isLost])

  const renew = async (element: HTMLVideoElement) => {
    resume.current ??= { at: element.currentTime, playing: !element.paused }
    await playback.handleError()
  }
  const prepare = (element: HTMLVideoElement) => {
    playback.markPlayable()
    const { at, playing } = resume.current ?? { at: 0, playing: false }
    resume.current = null
    if (at > 0) element.currentTime = at
    if (playing) void element.play().catch(() => {})
  }
  if (state.is === 'failed') return <p className={styles.message}>{t('recordings.cannotPlay')}</p>
  return (
    <>
      {isLost && (
        <div className={styles.lost} role="alert">
          <p>{t('recordings.unknownOne')}</p>
          <Button secondary onClick={() => void playback.start()}>
            {t('problem.again')}
          </Button>
        </div>
      )}
      {/* The element stays while the connection is lost: with the speed, and the picture. */}
      <video
        ref={video}
        className={styles.video}
        controls
        playsInline
        preload="metadata"
        aria-label={t('recordings.player')}
        {...(poster !== null && { poster })}
        {...(state.is === 'ready' && { src: state.url })}
        onLoadedMetadata={({ currentTarget }) => prepare(currentTarget)}
        onError={({ currentTarget }) => void renew(currentTarget)}
        onTimeUpdate={({ currentTarget }) => onPosition(currentTarget.currentTime * 1000)}
        onSeeking={({ currentTarget }) => onPosition(currentTarget.currentTime * 1000)}
      >
        {captions && (
          <track kind="captions" src={captions} srcLang={language} label={t('recordings.captions')} />
        )}
      </video>
    </>
  )
}

/** The address of the captions in this page; null without any. */
function useCaptions(phrases: readonly TranscriptPhrase[]): string | null {
  const text = useMemo(() => (phrases.length > 0 ? toWebVtt(phrases) : null), [phrases])
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (text === null) return setUrl(null)
    const created = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [text])
  return url
}
