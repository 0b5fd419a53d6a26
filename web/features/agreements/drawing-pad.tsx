import { drawingTexts as texts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { encodeStrokes } from '@keyturn/contract/shared/signature-drawing.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import classes from './drawing-pad.module.css'

export type DrawingPadProps = {
  /** Called after each stroke with all strokes, or with null when none is left. */
  onDrawn: (drawing: string | null) => void
  onClose: () => void
}

/** Draws a signature with a finger, a mouse or a pen. */
export function DrawingPad({ onDrawn, onClose }: DrawingPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(null)
  const [isEmpty, setEmpty] = useState(true)
  const reportDrawing = () => {
    if (!pad.current || !canvas.current) return
    const drawing = readDrawing(pad.current, canvas.current)
    setEmpty(drawing === null)
    onDrawn(drawing)
  }
  const latestReport = useRef(reportDrawing)
  latestReport.current = reportDrawing

  useEffect(() => {
    if (!canvas.current) return
    const openedPad = openPad(canvas.current, () => latestReport.current())
    pad.current = openedPad.pad
    return openedPad.close
  }, [])

  const undo = () => {
    pad.current?.fromData(pad.current.toData().slice(0, -1))
    reportDrawing()
  }
  const clear = () => {
    pad.current?.clear()
    reportDrawing()
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

/**
 * Removes the last strokes of a drawing that is too long to be stored, so that exactly what is
 * visible is signed.
 */
function readDrawing(pad: SignaturePad, { clientWidth: width, clientHeight: height }: HTMLCanvasElement) {
  for (;;) {
    const strokes = pad.toData()
    const drawing = encodeStrokes(
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
  // The width changes when a phone is rotated, and the strokes are scaled with it.
  const resizeCanvas = () => {
    const strokes = pad.toData()
    const scale = width ? canvas.clientWidth / width : 1
    width = canvas.clientWidth
    canvas.width = width * devicePixelRatio
    canvas.height = canvas.clientHeight * devicePixelRatio
    canvas.getContext('2d')?.scale(devicePixelRatio, devicePixelRatio)
    pad.fromData(
      strokes.map((stroke) => ({
        ...stroke,
        points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
      })),
    )
  }
  const observer = new ResizeObserver(() => {
    if (canvas.clientWidth !== width) resizeCanvas()
  })
  observer.observe(canvas)
  pad.addEventListener('endStroke', onStroke)
  return {
    pad,
    close: () => {
      observer.disconnect()
      pad.off()
    },
  }
}
