import { render } from "preact";

render(<p>Tile Rummy</p>, document.getElementById("page")!);
