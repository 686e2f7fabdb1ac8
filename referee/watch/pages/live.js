// A page of lists.

import {keep_fresh} from "./fresh.js";

keep_fresh("main");
