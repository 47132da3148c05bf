import { useEffect, useRef } from 'react'
import styles from './BackgroundPicker.module.css'

export type Draw = (drawing: CanvasRenderingContext2D, size: { width: number; height: number }) => void

/** Twice the size on the page, for sharp displays. */
const SIZE = { width: 192, height: 108 }

/** A small picture, drawn by code. Its name is beside it. */
export function Thumbnail({ draw }: { draw: Draw }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const drawing = canvas.current?.getContext('2d')
    if (drawing) draw(drawing, SIZE)
  }, [draw])
  return <canvas ref={canvas} className={styles.canvas} {...SIZE} />
}
