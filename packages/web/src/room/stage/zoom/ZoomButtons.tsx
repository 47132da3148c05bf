import { ZoomIn, ZoomOut } from 'lucide-react'
import { useRef } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { useZoom } from './use-zoom.ts'
import styles from './ZoomButtons.module.css'
import { type Frame, zoomByKey } from './zoom.ts'

interface Props {
  frame: Frame
  zoom: ReturnType<typeof useZoom>
}

/** The zoom by press and by keys: plus, minus, 0 and arrows. */
export function ZoomButtons({ frame, zoom }: Props) {
  const { t, locale } = useTexts()
  const larger = useRef<HTMLButtonElement>(null)
  const press = (key: string) => {
    const next = zoomByKey(zoom.get(), key, frame)
    if (next) zoom.set(next)
    // The other buttons disappear with the zoom.
    if (zoom.get().factor === 1) larger.current?.focus()
    return next !== null
  }
  const isZoomed = zoom.factor > 1
  return (
    <fieldset
      className={styles.buttons}
      aria-label={t('stage.zoom.title')}
      onKeyDown={event => {
        const { ctrlKey, altKey, metaKey, key } = event
        if (!ctrlKey && !altKey && !metaKey && press(key)) event.preventDefault()
      }}
    >
      {isZoomed && (
        <button type="button" aria-label={t('stage.zoom.out')} onClick={() => press('-')}>
          <ZoomOut aria-hidden="true" />
        </button>
      )}
      {isZoomed && <output>{zoom.factor.toLocaleString(locale)}×</output>}
      <button ref={larger} type="button" aria-label={t('stage.zoom.in')} onClick={() => press('+')}>
        <ZoomIn aria-hidden="true" />
      </button>
      {isZoomed && (
        <button type="button" onClick={() => press('0')}>
          {t('stage.zoom.fit')}
        </button>
      )}
    </fieldset>
  )
}
