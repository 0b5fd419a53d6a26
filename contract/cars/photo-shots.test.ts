import { expect, test } from 'vitest'
import { caption } from '../shared/photo.ts'
import { photoShots, shotNames, takenShots } from './photo-shots.ts'

// R-cars-37
test('counts a shot as taken when a caption is its name or begins with it', () => {
  expect(takenShots([])).toEqual([])
  expect(takenShots(['Odometer', 'Damage: a scratch on the hood', 'Front, from the left'])).toEqual([
    'front',
    'odometer',
    'damage',
  ])
  expect(takenShots(['Front bumper', 'Interiors', 'No damage', 'The Rear'])).toEqual([])
})

// R-cars-37
test('has eight shots, whose names are valid captions', () => {
  expect(shotNames).toHaveLength(8)
  const names = shotNames.map((shot) => photoShots[shot].name)
  expect(names.map((name) => caption.parse(name))).toEqual(names)
  expect(takenShots(names)).toEqual(shotNames)
})
