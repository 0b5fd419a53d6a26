/** An engraved rosette around a check mark. Decorative: what it means is written beside it. */
export const Seal = ({ className }: { className?: string }) => (
  <svg viewBox="-60 -60 120 120" className={className} aria-hidden="true" focusable="false">
    <path data-part="ground" d={wave(54, 3, 30)} />
    {rosette.map((d) => (
      <path key={d} data-part="line" d={d} />
    ))}
    <circle data-part="heart" r="23" />
    <path data-part="mark" d="M-10 1l7 7L11-8" />
  </svg>
)

/** A closed curve around the center, whose radius swings `times` by `depth`. */
function wave(radius: number, depth: number, times: number, phase = 0): string {
  const points = Array.from({ length: 180 }, (_, at) => {
    const angle = (at / 180) * 2 * Math.PI
    const r = radius + depth * Math.cos(times * angle + phase)
    return `${(r * Math.cos(angle)).toFixed(1)} ${(r * Math.sin(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}

const rosette = [0, 1, 2, 3, 4, 5].map((step) => wave(37, 10, 12, (step * Math.PI) / 3))
