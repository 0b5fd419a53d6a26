import classes from './install-steps.module.css'
import { landingTexts } from './landing-texts.ts'

const { iphone, others } = landingTexts.app

/** Explains manual installation in browsers without an install prompt: two drawings with steps. */
export const InstallSteps = () => (
  <div className={classes.ways}>
    <figure className={classes.way}>
      <Iphone />
      <Steps {...iphone} />
    </figure>
    <figure className={classes.way}>
      <OtherBrowser />
      <Steps {...others} />
    </figure>
  </div>
)

const Steps = ({ title, steps }: { title: string; steps: readonly string[] }) => (
  <figcaption>
    <h3>{title}</h3>
    <ol>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </figcaption>
)

/**
 * The lower half of a phone: the bar with the Share button, and the entry in the sheet that it
 * opens.
 */
const Iphone = () => (
  <svg viewBox="0 0 240 180" className={classes.picture} aria-hidden="true">
    <path className={classes.body} d="M40 0v156a20 20 0 0 0 20 20h120a20 20 0 0 0 20-20V0" />
    <path className={classes.faint} d="M64 14h112M64 28h84" />
    <rect className={classes.sheet} x="52" y="44" width="136" height="76" rx="10" />
    <path className={classes.faint} d="M66 60h56M66 108h48" />
    <rect className={classes.chosen} x="56" y="72" width="128" height="24" rx="6" />
    <text className={classes.words} x="64" y="88">
      {iphone.entry}
    </text>
    <path className={classes.sign} d="M168.5 79.5h9v9h-9zM173 82v4M171 84h4" />
    <path className={classes.line} d="M40 132h160" />
    <circle className={classes.ring} cx="120" cy="152" r="15" />
    <path className={classes.sign} d="M116 149h-3v10h14v-10h-3M120 155v-12M116.5 146l3.5-3.5 3.5 3.5" />
    <path className={classes.faint} d="M68 152h-8l4-4m-4 4 4 4M172 152h8l-4-4m4 4-4 4" />
  </svg>
)

const OtherBrowser = () => (
  <svg viewBox="0 0 240 180" className={classes.picture} aria-hidden="true">
    <rect className={classes.body} x="10" y="14" width="220" height="176" rx="10" />
    <path className={classes.line} d="M10 46h220" />
    <rect className={classes.address} x="24" y="23" width="160" height="14" rx="7" />
    <circle className={classes.ring} cx="210" cy="30" r="13" />
    <path className={classes.dots} d="M210 24.5v.01M210 30v.01M210 35.5v.01" />
    <path className={classes.faint} d="M28 68h44M28 84h52M28 100h36" />
    <rect className={classes.sheet} x="94" y="54" width="128" height="84" rx="8" />
    <path className={classes.faint} d="M108 70h60M108 124h72" />
    <rect className={classes.chosen} x="98" y="82" width="120" height="26" rx="6" />
    <text className={classes.words} x="106" y="99">
      {others.entry}
    </text>
    <path className={classes.sign} d="M206 90v8m-3.5-3.5 3.5 3.5 3.5-3.5M201 102h10" />
  </svg>
)
