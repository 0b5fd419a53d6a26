import { press, type View } from './view.ts'

/** /dev, once in. */
export const administratorsViews: View[] = [
  { path: '/dev', shows: 'Wanda Price' },
  { path: '/dev', shows: 'Wanda Price', open: press(/^Open "/) },
  { path: '/dev', shows: 'Wanda Price', open: press('Complete the deal') },
]
