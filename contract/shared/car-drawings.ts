// An arch over a wheel, drawn from right to left.
const arch = 'a10.5 10.5 0 0 0-21 0'

/** A side view on a canvas of 144 x 56, facing right. */
export type CarDrawing = {
  wheels: readonly [rear: number, front: number]
  outline: string
  glass: string
  seams: string
}

const bodies = {
  // Each outline includes the wheel arches.
  sedan: {
    wheels: [33, 111],
    outline: `M12 44c-3 0-4.5-1.5-5-4L6.5 33c-.2-4 1.5-6 5-6.7L32 23.5C42 15 50 12 61 12h13c11 0 18 5 25 12l22 3.5c10 1.5 15.5 5 16.5 10.5.5 3.5-.5 6-3.5 6h-12.5 ${arch}H43.5 ${arch}Z`,
    glass: 'M41 24c8-7 13-9.5 21-9.5h5V24ZM71 14.5h3.5c8.5 0 14.5 3.5 21 9.5H71Z',
    seams: 'M69 24v15M42 28h5M74 28h5',
  },
  coupe: {
    wheels: [33, 112],
    outline: `M12 44c-3.5 0-5.2-2.5-5.2-6-.2-5 2.2-8.5 7.2-9.5l11-2C37 17 48 12.5 62 12.5c16 0 26 6 34 13l25 3.5c10 1.5 15.5 4 16.5 9 .5 3.5-.5 6-3.5 6h-11.5 ${arch}H43.5 ${arch}Z`,
    glass: 'M38 26c9-8 16-10.5 25-10.7h4L69.5 26ZM71 15.4c9 .8 15 4.6 21 10.6H73.5Z',
    seams: 'M71.5 26l.5 13M76 30h5',
  },
  hatchback: {
    wheels: [35, 106],
    outline: `M18 44c-4.5 0-6-2-6.2-6l-.3-7c0-4 1-6.5 3.5-9 5-6 9-10 18-10h33c12 0 19 5.5 26 12.5l22 3c10 1.5 16 4.5 17 10.5.5 4-.5 6-3.5 6h-11 ${arch}H45.5 ${arch}Z`,
    glass: 'M22 24c4-6.5 7-9.5 13-9.5h15V24ZM54 14.5h12c9 0 15 4 21.5 9.5H54Z',
    seams: 'M52 24v15M57 28h5M14 30h4',
  },
  wagon: {
    wheels: [33, 111],
    outline: `M12 44c-3.5 0-5-2-5.2-6l-.3-7c0-3 1-5.5 3-8.5l5-7.5c1.5-2.2 3.5-3 6.5-3h53c11 0 18 5 25 12l22 3.5c10 1.5 15.5 5 16.5 10.5.5 3.5-.5 6-3.5 6h-12.5 ${arch}H43.5 ${arch}Z`,
    glass: 'M15.5 24l4.5-7.5c1-1.5 2-2 4-2h14V24ZM42 14.5h24V24H42ZM70 14.5h4.5c8.5 0 14.5 3.5 21 9.5H70Z',
    seams: 'M68 24v15M45 28h5M73 28h5',
  },
  suv: {
    wheels: [33, 108],
    outline: `M13 44c-4 0-5.5-2-5.8-6L7 28c0-3.5.5-6 1.5-9l3-8c1.1-3 3-4 6.5-4h54c9 0 15 5.5 22 13.5l24 3c11 1.5 16.5 5 17.5 12.5.5 6-.5 8-4 8h-13 ${arch}H43.5 ${arch}Z`,
    glass: 'M12.5 20.5l3-8.5c.7-2 1.7-2.5 3.5-2.5h16v11ZM39 9.5h23v11H39ZM66 9.5h6c7 0 12 4.5 17.5 11H66Z',
    seams: 'M64 20.5V39M42 25h5M69 25h5M22 4h46M26 4v3M64 4v3',
  },
  pickup: {
    wheels: [32, 112],
    outline: `M9 44c-2.5 0-3.5-1-3.5-3.5V25c0-2 1-3 3-3H50l2.5-12c.5-2.2 2-3 4-3H78c7 0 11 5 16 13.5l28 3c10 1.5 14.5 4.5 15.5 11.5.5 7-.5 9-4 9h-11 ${arch}H42.5 ${arch}Z`,
    glass: 'M55.5 20.5l2-9c.3-1.5 1-2 2.5-2h8v11ZM72 9.5h5.5c5 0 8.5 4.5 12 11H72Z',
    seams: 'M50 22v17M70 20.5V39M74 25h5M11 27h34',
  },
  van: {
    wheels: [33, 112],
    outline: `M12 44c-3.5 0-5-2-5.2-6L6.5 24c0-7 1-11.5 2.5-14.5C10 7.2 12 6 15 6h57c14 0 25 7.5 33 17l17 4c9 2 14 5 15 11 .5 4-.5 6-3.5 6h-11 ${arch}H43.5 ${arch}Z`,
    glass:
      'M11.5 20.5c.3-5 1-8.5 2-10.3.6-1.2 1.5-1.6 3-1.6H32v11.9ZM36 8.6h26v11.9H36ZM66 8.6h6c11 0 19.5 4.9 26.5 11.9H66Z',
    seams: 'M64 20.5V39M34 25.5h26M69 25h5',
  },
  convertible: {
    wheels: [33, 111],
    outline: `M12 44c-3.5 0-5.2-2.5-5.2-6-.2-5.5 2.2-9 7.2-10l24-1.5h54l29 3c10 1 15.5 3.5 16.5 8.5.5 3.5-.5 6-3.5 6h-12.5 ${arch}H43.5 ${arch}Z`,
    glass: 'M93 26.5 80.5 15.5l3-1L100 27Z',
    seams: 'M70 27v12M74 30h5M28 27c4-4.5 12-4.5 17-.5M52 26.5c0-4 1.5-6 4.5-6s4.5 2 5 6',
  },
} as const satisfies Record<string, CarDrawing>

/** Bodies that have a drawing (R-cars-21). */
export type CarBody = keyof typeof bodies

/** Returns the drawing shown instead of a photo; a sedan when the body is unknown. */
export const carDrawingFor = (body: CarBody | null | undefined): CarDrawing => bodies[body ?? 'sedan']

export const roadLine = 'M4 52.5h136'
