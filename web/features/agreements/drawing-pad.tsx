import { drawingTexts as texts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { drawingOf } from '@keyturn/contract/shared/signature-drawing.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import classes from './drawing-pad.module.css'

export type DrawingPadProps = {
  /** Called after each stroke with all strokes; null when none is left. */
  onDrawn: (drawing: string | null) => void
  onClose: () => void
}

/** Draws a signature with a finger, a mouse or a pen. */
export function DrawingPad({ onDrawn, onClose }: DrawingPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const [isEmpty, setEmpty] = useState(true)
  const tell = () => {
    if (!pad.current || !canvas.current) return
    const drawing = drawnOn(pad.current, canvas.current)
    setEmpty(drawing === null)
    onDrawn(drawing)
  }
  const latest = useRef(tell)
  latest.current = tell

  useEffect(() => {
    if (!canvas.current) return
    const opened = openPad(canvas.current, () => latest.current())
    pad.current = opened.pad
    return opened.close
  }, [])

  const undo = () => {
    pad.current?.fromData(pad.current.toData().slice(0, -1))
    tell()
  }
  const clear = () => {
    pad.current?.clear()
    tell()
  }
  return (
    <Stack gap="xs" role="group" aria-label={texts.title}>
      <Text size="sm" fw={600}>
        {texts.title}
      </Text>
      <canvas ref={canvas} className={classes.pad} role="img" aria-label={texts.area} />
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="sm" disabled={isEmpty} onClick={undo}>
          {texts.undo}
        </Button>
        <Button variant="default" size="sm" disabled={isEmpty} onClick={clear}>
          {texts.clear}
        </Button>
        <Button variant="subtle" size="sm" onClick={onClose}>
          {texts.remove}
        </Button>
      </Group>
    </Stack>
  )
}

/** Removes a stroke that exceeds the size limit, so that the visible drawing is what is signed. */
function drawnOn(pad: SignaturePad, { clientWidth: width, clientHeight: height }: HTMLCanvasElement) {
  for (;;) {
    const strokes = pad.toData()
    const drawing = drawingOf(
      strokes.map(({ points }) => points),
      { width, height },
    )
    if (drawing !== null || strokes.length === 0) return drawing
    pad.fromData(strokes.slice(0, -1))
  }
}

function openPad(canvas: HTMLCanvasElement, onStroke: () => void) {
  const pad = new SignaturePad(canvas, { penColor: getComputedStyle(canvas).color })
  let width = 0
  // A rotated phone has another width; the strokes keep their position in the box.
  const fit = () => {
    const strokes = pad.toData()
    const grown = width ? canvas.clientWidth / width : 1
    width = canvas.clientWidth
    canvas.width = width * devicePixelRatio
    canvas.height = canvas.clientHeight * devicePixelRatio
    canvas.getContext('2d')?.scale(devicePixelRatio, devicePixelRatio)
    pad.fromData(
      strokes.map((stroke) => ({
        ...stroke,
        points: stroke.points.map((point) => ({ ...point, x: point.x * grown, y: point.y * grown })),
      })),
    )
  }
  const watch = new ResizeObserver(() => {
    if (canvas.clientWidth !== width) fit()
  })
  watch.observe(canvas)
  pad.addEventListener('endStroke', onStroke)
  return {
    pad,
    close: () => {
      watch.disconnect()
      pad.off()
    },
  }
}
