import type { ReactNode } from 'react'
import type { Size } from '../layout/geometry.ts'
import { useZoom } from './use-zoom.ts'
import styles from './ZoomableScreen.module.css'
import { ZoomButtons } from './ZoomButtons.tsx'

interface Props {
  area: Size
  /** The size of the screen in the area. */
  content: Size
  isEnabled: boolean
  /** Receives the factor when it changes. */
  onFactor: (factor: number) => void
  children: ReactNode
}

/** A screen that each viewer enlarges for themselves: by pinch, double tap, Ctrl and wheel, buttons or keys. */
export function ZoomableScreen({ area, content, isEnabled, onFactor, children }: Props) {
  const zoom = useZoom({ area, content }, isEnabled, onFactor)
  return (
    <>
      <div
        ref={zoom.area}
        className={styles.area}
        style={{ height: area.height }}
        data-zoomable={isEnabled || undefined}
        data-zoomed={zoom.factor > 1 || undefined}
      >
        <div ref={zoom.content} className={styles.content}>
          {children}
        </div>
      </div>
      {isEnabled && <ZoomButtons frame={{ area, content }} zoom={zoom} />}
    </>
  )
}
