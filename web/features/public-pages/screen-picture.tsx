import {
  pictureName,
  productScreens,
  type Scheme,
  type ScreenName,
  schemes,
  screenWidth,
} from './product-screens.ts'
import classes from './screen-picture.module.css'

const files = import.meta.glob<string>('./pictures/*.avif', { eager: true, import: 'default' })

function pictureAddress(screen: ScreenName, scheme: Scheme): string {
  const address = files[`./pictures/${pictureName(screen, scheme)}`]
  if (!address) throw new Error(`There is no picture of the screen ${screen} in the ${scheme} scheme`)
  return address
}

/**
 * A screen of the product in the page's color scheme. With `lazy`, the browser does not load the
 * pictures of the hidden scheme and side.
 */
export const ScreenPicture = ({ screen }: { screen: ScreenName }) =>
  schemes.map((scheme) => (
    <img
      key={scheme}
      className={classes.picture}
      data-scheme={scheme}
      src={pictureAddress(screen, scheme)}
      alt={productScreens[screen].alt}
      width={screenWidth}
      height={productScreens[screen].height}
      loading="lazy"
    />
  ))
