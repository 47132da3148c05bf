import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { followGestures, type GestureParts } from './gestures.ts'
import { clamped, FIT, type Frame, type Zoom } from './zoom.ts'

interface ZoomControl {
  /** The element with the gestures, and the one in it that is enlarged. */
  area: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  /** Rounded to a tenth. */
  factor: number
  get: () => Zoom
  set: (zoom: Zoom) => void
}

/**
 * The zoom of a screen. It changes with each movement by style only; React has the rounded factor. `follow`: what the
 * pointers do.
 */
export function useZoom(
  frame: Frame,
  isEnabled: boolean,
  onFactor: (factor: number) => void,
  follow: (parts: GestureParts, signal: AbortSignal) => void = followGestures,
): ZoomControl {
  const area = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const zoom = useRef(FIT)
  const current = useRef(frame)
  const [factor, setFactor] = useState(1)
  const [control] = useState(() => ({
    get: () => zoom.current,
    set: (next: Zoom) => {
      zoom.current = next
      const { x, y, factor: by } = next
      const { style } = content.current ?? {}
      if (style) style.transform = by === 1 ? '' : `translate(${x}px, ${y}px) scale(${by})`
      style?.setProperty('--zoom', String(by))
      setFactor(Math.round(by * 10) / 10)
    },
  }))
  useLayoutEffect(() => {
    current.current = frame
    if (zoom.current.factor !== 1) control.set(isEnabled ? clamped(zoom.current, frame) : FIT)
  })
  useEffect(() => onFactor(factor), [onFactor, factor])
  useEffect(() => {
    if (!isEnabled || !area.current) return
    const stop = new AbortController()
    follow({ element: area.current, frame: () => current.current, ...control }, stop.signal)
    return () => stop.abort()
  }, [isEnabled, control, follow])
  return { area, content, factor, ...control }
}
